/*
 * What the platform's people order: emergency stops, release windows and cordons.
 * Rows are never deleted: who ordered what, when and why stays, and when it ended.
 * Partial indexes keep what is in force small and, where two people press at once,
 * single.
 */

/** @param {import('knex').Knex} knex */
exports.up = async function up(knex) {
  await knex.schema.createTable('stops', table => {
    table.comment('Emergency stops, lifted ones too');
    table.string('id', 64).primary();
    table.text('scope').notNullable().comment('JSON, of one kind: all, regions, groups…');
    table.string('order_key', 64).notNullable().comment('Digest of what makes two orders the same');
    table.text('reason').notNullable();
    table.boolean('allow_rollback').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('lifted_by', 255);
    table.bigInteger('lifted_at');
    table.text('lift_reason');
    table.index(['created_at', 'id'], 'stops_created_index');
    table.unique(['order_key'], {
      indexName: 'stops_active_order_index',
      predicate: knex.whereNull('lifted_at'),
    });
  });

  await knex.schema.createTable('windows', table => {
    table.comment('Release windows of the platform, removed ones too');
    table.string('id', 64).primary();
    table.string('name', 255).notNullable();
    table.string('cron', 255).notNullable();
    table.bigInteger('duration').notNullable().comment('Milliseconds');
    table.string('time_zone', 255).notNullable();
    table.string('kind', 16).notNullable();
    table.text('services').comment('JSON list of entity refs; null: all services');
    table.text('reason').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('removed_by', 255);
    table.bigInteger('removed_at');
    table.text('remove_reason');
    table.index(['created_at', 'id'], 'windows_created_index');
    table.unique(['name'], {
      indexName: 'windows_active_name_index',
      predicate: knex.whereNull('removed_at'),
    });
  });

  await knex.schema.createTable('cordons', table => {
    table.comment('Clusters that take no new release, and those that do again');
    table.string('id', 64).primary();
    table.string('cluster', 253).notNullable();
    table.text('reason').notNullable();
    table.string('created_by', 255).notNullable();
    table.bigInteger('created_at').notNullable();
    table.string('lifted_by', 255);
    table.bigInteger('lifted_at');
    table.text('lift_reason');
    table.unique(['cluster'], {
      indexName: 'cordons_active_cluster_index',
      predicate: knex.whereNull('lifted_at'),
    });
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  for (const table of ['cordons', 'windows', 'stops']) {
    await knex.schema.dropTable(table);
  }
};
