export * from './ClusterListUntrustedError';
export * from './DocumentsRefusedError';
export * from './KeyReusedError';
export * from './NotBuiltYetError';
export * from './OnHoldError';
export * from './RecordMovedError';
export * from './RefusedError';
