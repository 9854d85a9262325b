/* What readings were compared with, each with the query as it was sent. */

/** @param {import('knex').Knex} knex */
exports.up = async function up(knex) {
  await knex.schema.alterTable('measurements', table => {
    table.double('baseline').comment('Null: compared with nothing, or it could not be read');
    table.text('baseline_query');
  });
};

/** @param {import('knex').Knex} knex */
exports.down = async function down(knex) {
  await knex.schema.alterTable('measurements', table => {
    table.dropColumns('baseline', 'baseline_query');
  });
};
