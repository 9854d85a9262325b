/**
 * The words of Multicluster Release: documents, plans, states and API types.
 *
 * @packageDocumentation
 */
export * from './api';
export * from './model';
export * from './permissions';
export * from './plan';
export * from './status';
export * from './timeline';
