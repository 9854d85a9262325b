export * from './createMeasurer';
