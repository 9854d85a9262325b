export * from './retell';
