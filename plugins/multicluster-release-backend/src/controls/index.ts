export type { WindowFault } from './compileWindow';
export * from './lookUpFleet';
export * from './windows';
export * from './stopScope';
