export type { WindowFault } from './compileWindow';
export * from './windows';
export * from './stopScope';
