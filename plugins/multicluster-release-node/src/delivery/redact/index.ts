export * from './mask';
export * from './redactMessage';
export * from './redactObject';
