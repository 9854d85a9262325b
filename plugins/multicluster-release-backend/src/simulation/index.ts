export * from './script';
export * from './shrink';
export * from './simulate';
