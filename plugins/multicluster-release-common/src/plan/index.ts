export * from './canonicalJson';
export * from './compile';
export * from './compileRollback';
export * from './selectTargets';
export * from './shares';
export * from './spec';
export * from './types';
