/**
 * The hands of Multicluster Release: everything that touches one cluster.
 *
 * @packageDocumentation
 */
export * from './ports';
export * from './analysis';
export * from './clusters';
export * from './delivery';
