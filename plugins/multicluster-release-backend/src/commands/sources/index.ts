export * from './DefaultSourceReader';
export * from './resolveLocation';
export * from './revisionUrl';
export * from './SourceUnreadableError';
export * from './types';
