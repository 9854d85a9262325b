export * from './fleet';
export * from './types';
