export * from './findings';
export * from './states';
