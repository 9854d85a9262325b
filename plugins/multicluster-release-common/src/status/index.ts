export * from './counted';
export * from './findings';
export * from './states';
export * from './transitions';
