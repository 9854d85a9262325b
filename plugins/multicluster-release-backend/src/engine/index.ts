export * from './Engine';
export * from './ports';
