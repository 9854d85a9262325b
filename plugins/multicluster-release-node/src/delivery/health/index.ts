export * from './assessHealth';
export * from './rollUp';
export type * from './types';
