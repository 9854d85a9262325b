export * from './createRun';
export * from './decide';
export * from './retry';
export * from './types';
