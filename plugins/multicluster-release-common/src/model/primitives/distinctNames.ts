import { recordsOf, type Rule } from './withRules';

/** Refuses a name that stands twice in a list: one of the two could not be meant by anybody. */
export function distinctNames(field: string): Rule {
  return (value, report) => {
    const names = new Set<string>();
    for (const { record, index } of recordsOf(value[field])) {
      if (typeof record.name !== 'string') {
        continue;
      }
      if (names.has(record.name)) {
        report([field, index, 'name'], `${record.name} is there twice: each name may stand once`);
      }
      names.add(record.name);
    }
  };
}
