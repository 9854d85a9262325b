export { checkWindow } from './compileWindow';
export type { WindowFault } from './compileWindow';
export * from './lookUpFleet';
export * from './occurrences';
export * from './stopScope';
export * from './windows';
