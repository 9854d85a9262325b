export * from './applyOverrides';
export * from './renderContent';
export * from './setImages';
