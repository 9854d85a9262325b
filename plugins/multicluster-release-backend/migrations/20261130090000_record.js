/*
 * The record, first form. Times are epoch milliseconds in bigint columns. JSON is
 * text, because it is only ever read whole; what lists filter or sort by has a
 * column of its own. Runs in one transaction, so that a loser of the race of two
 * fresh backends leaves nothing behind.
 */

/** @param {import('knex').Knex} knex */
exports.up = async function up(knex) {
  await knex.schema.createTable('services', table => {
    table.comment('One row per released service; locked first by whatever writes to its releases');
    table.string('service', 255).primary();
    table.integer('last_sequence').notNullable().defaultTo(0).comment('Grows with every plan');
    table.bigInteger('created_at').notNullable();
  });

  await knex.schema.createTable('definitions', table => {
    table.comment('Immutable revisions of documents');
    table.string('scope', 16).notNullable().comment('service, policy or placement');
    table.string('name', 255).notNullable();
    table.integer('number').notNullable();
    table.string('revision', 40).notNullable();
    table
      .string('key_id', 255)
      .comment('Encryption key of body; null: plain, and free of Secret data');
    table.binary('body').notNullable().comment('Compressed JSON of text and documents');
    table.text('location');
    table.string('commit', 255);
    table.string('author', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.primary(['scope', 'name', 'number']);
  });

  await knex.schema.createTable('releases', table => {
    table.string('id', 64).primary();
    table.string('service', 255).notNullable().references('service').inTable('services');
    table.string('state', 32).notNullable();
    table.string('strategy', 32).notNullable();
    table.string('target_version', 255).notNullable();
    table.text('from_versions').notNullable();
    table.string('plan_hash', 128).notNullable();
    table.integer('plan_number').notNullable();
    table.text('target_states').notNullable();
    table.text('target_health').notNullable();
    table.text('spec').notNullable();
    table.text('head').notNullable().comment('The run without targets and plans');
    table.string('started_by', 255).notNullable();
    table.string('on_behalf_of', 255);
    table.text('link');
    table.text('reason');
    table.string('rolled_back_from', 64);
    table.string('rolled_back_by', 64);
    table.string('queued_behind', 64);
    table.bigInteger('created_at').notNullable();
    table.bigInteger('started_at');
    table.bigInteger('finished_at');
    table.integer('revision').notNullable();
    table.boolean('needs_work').notNullable();
    table.string('lease_holder', 255);
    table.integer('lease_ticket').notNullable().defaultTo(0).comment('Grows with every claim');
    table.bigInteger('lease_until').comment("On the database's clock, where it has one");
    table.index(['created_at', 'id'], 'releases_created_index');
    table.index(['service', 'created_at', 'id'], 'releases_service_index');
    table.index(['state', 'created_at', 'id'], 'releases_state_index');
    table.index(['needs_work', 'lease_until'], 'releases_claim_index');
    table.index(['queued_behind'], 'releases_queue_index');
  });

  await knex.schema.createTable('plans', table => {
    table
      .string('release_id', 64)
      .notNullable()
      .references('id')
      .inTable('releases')
      .onDelete('CASCADE');
    table.integer('number').notNullable();
    table.string('hash', 128).notNullable();
    table.string('kind', 16).notNullable();
    table.integer('sequence').notNullable();
    table.text('plan').notNullable();
    table.bigInteger('created_at').notNullable();
    table.primary(['release_id', 'number']);
    table.index(['hash'], 'plans_hash_index');
  });

  await knex.schema.createTable('previewed_plans', table => {
    table.comment('Previews, so that exactly what was seen can be started; kept 24 hours');
    table.string('hash', 128).notNullable();
    table.string('service', 255).notNullable();
    table.text('preview').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at').notNullable();
    table.primary(['hash', 'service']);
    table.index(['expires_at'], 'previewed_plans_expiry_index');
  });

  await knex.schema.createTable('release_targets', table => {
    table
      .string('release_id', 64)
      .notNullable()
      .references('id')
      .inTable('releases')
      .onDelete('CASCADE');
    table.string('cluster', 253).notNullable();
    table.string('namespace', 63).notNullable();
    table.integer('ordinal').notNullable().comment('Order in the run');
    table.string('group_name', 255);
    table.string('state', 32).notNullable();
    table.integer('plan').notNullable();
    table.integer('stage').notNullable();
    table.integer('position').notNullable();
    table.string('from_digest', 64);
    table.string('to_digest', 64);
    table.integer('sequence');
    table.boolean('touched').notNullable();
    table.string('health', 16).notNullable();
    table.bigInteger('reported_at');
    table.text('inventory').notNullable();
    table.text('detail').notNullable().comment('The whole target but its inventory');
    table.primary(['release_id', 'cluster', 'namespace']);
    table.index(['release_id', 'ordinal'], 'release_targets_order_index');
    table.index(['release_id', 'state', 'ordinal'], 'release_targets_state_index');
    table.index(['cluster', 'namespace', 'state'], 'release_targets_cluster_index');
  });

  await knex.schema.createTable('running', table => {
    table.comment('What our record says runs on each target');
    table.string('service', 255).notNullable();
    table.string('cluster', 253).notNullable();
    table.string('namespace', 63).notNullable();
    table.string('version', 255);
    table.string('config_version', 255);
    table.string('digest', 64);
    table.integer('wanted_sequence');
    table.integer('observed_sequence');
    table.bigInteger('since');
    table.string('release_id', 64).notNullable();
    table.text('inventory').notNullable();
    table.primary(['service', 'cluster', 'namespace']);
    table.index(['cluster', 'service', 'namespace'], 'running_cluster_index');
    table.index(['digest'], 'running_digest_index');
    table.index(['release_id'], 'running_release_index');
  });

  await knex.schema.createTable('events', table => {
    table.comment('Append-only; timeline and audit read the same rows');
    table.bigIncrements('id');
    table.string('release_id', 64);
    table.string('service', 255).notNullable();
    table.bigInteger('at').notNullable();
    table.string('kind', 32).notNullable();
    table.string('code', 64).notNullable();
    table.text('params').notNullable();
    table.text('message').notNullable();
    table.string('actor', 255).notNullable();
    table.text('reason');
    table.string('cluster', 253);
    table.string('namespace', 63);
    table.integer('stage');
    table.index(['release_id', 'id'], 'events_release_index');
    table.index(['service', 'id'], 'events_service_index');
  });

  await knex.schema.createTable('contents', table => {
    table.comment('Rendered objects by digest, compressed; encrypted where a key is set');
    table.string('digest', 64).primary();
    table.string('version', 255).notNullable();
    table.string('config_version', 255);
    table.string('key_id', 255).comment('Encryption key; null: Secret data is withheld');
    table.text('withheld_secrets').notNullable();
    table.bigInteger('stored_at').notNullable().comment('Of the last put');
    table.index(['stored_at'], 'contents_stored_index');
  });

  await knex.schema.createTable('content_chunks', table => {
    table
      .string('digest', 64)
      .notNullable()
      .references('digest')
      .inTable('contents')
      .onDelete('CASCADE');
    table.integer('ordinal').notNullable();
    table.binary('data').notNullable();
    table.primary(['digest', 'ordinal']);
  });

  await knex.schema.createTable('content_references', table => {
    table.comment('Which contents the plans of a release need');
    table
      .string('release_id', 64)
      .notNullable()
      .references('id')
      .inTable('releases')
      .onDelete('CASCADE');
    table.string('digest', 64).notNullable();
    table.primary(['release_id', 'digest']);
    table.index(['digest'], 'content_references_digest_index');
  });

  await knex.schema.createTable('holds', table => {
    table.comment('Versions that do not come back by themselves');
    table.string('id', 64).primary();
    table.string('service', 255).notNullable();
    table.string('version', 255).notNullable();
    table.text('reason').notNullable();
    table.string('release_id', 64).notNullable();
    table.bigInteger('since').notNullable();
    table.string('released_by', 255);
    table.bigInteger('released_at');
    table.index(['service', 'version', 'released_at'], 'holds_version_index');
    table.index(['since', 'id'], 'holds_since_index');
  });

  await knex.schema.createTable('idempotency_keys', table => {
    table.comment('Kept 24 hours');
    table.string('scope', 255).notNullable();
    table.string('key', 255).notNullable();
    table.string('body_hash', 128).notNullable();
    table.string('release_id', 64).notNullable();
    table.bigInteger('created_at').notNullable();
    table.primary(['scope', 'key']);
    table.index(['created_at'], 'idempotency_keys_created_index');
  });

  await knex.schema.createTable('cluster_status', table => {
    table.comment('Last known; never read as current');
    table.string('cluster', 253).primary();
    table.string('state', 32).notNullable();
    table.text('message');
    table.bigInteger('since').notNullable();
    table.bigInteger('reported_at');
    table.text('detail');
  });

  await knex.schema.createTable('cluster_listings', table => {
    table.comment('The last listing of clusters that was complete and not empty');
    table.string('source', 255).primary();
    table.text('clusters').notNullable();
    table.bigInteger('listed_at').notNullable();
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  const tables = [
    'cluster_listings',
    'cluster_status',
    'idempotency_keys',
    'holds',
    'content_references',
    'content_chunks',
    'contents',
    'events',
    'running',
    'release_targets',
    'previewed_plans',
    'plans',
    'releases',
    'definitions',
    'services',
  ];
  for (const table of tables) {
    await knex.schema.dropTable(table);
  }
};
