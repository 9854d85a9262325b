export * from './createRun';
export * from './decide';
export * from './types';
