export * from './applyOverrides';
export * from './renderContent';
export * from './setImages';
export { substituteVersion } from './substituteVersion';
