/*
 * What metric gates have read, each with the query as it was sent. Rows go with
 * their release.
 */

/** @param {import('knex').Knex} knex */
exports.up = async function up(knex) {
  await knex.schema.createTable('measurements', table => {
    table.comment('Readings of metric gates, as they counted');
    table.bigIncrements('id');
    table.string('release_id', 64).notNullable();
    table.integer('stage').notNullable();
    table.string('step_id', 32).notNullable();
    table.string('cluster', 253).notNullable();
    table.string('namespace', 63).notNullable();
    table.string('metric', 255).notNullable();
    table.bigInteger('at').notNullable();
    table.string('result', 16).notNullable().comment('good, bad, noData or error');
    table.double('value');
    table.double('samples');
    table.text('message');
    table.text('query').notNullable();
    table.index(['release_id', 'id'], 'measurements_release_index');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.dropTable('measurements');
};
