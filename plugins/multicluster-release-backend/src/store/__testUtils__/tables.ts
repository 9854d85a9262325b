/** All our tables, children before what they refer to. */
export const TABLES = [
  'content_references',
  'content_chunks',
  'contents',
  'events',
  'running',
  'release_targets',
  'plans',
  'previewed_plans',
  'releases',
  'services',
  'definitions',
  'holds',
  'idempotency_keys',
  'cluster_status',
  'cluster_listings',
];
