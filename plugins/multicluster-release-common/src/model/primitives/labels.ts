import { z } from 'zod';
import { isRecord } from '../errors/path';
import { isDnsSubdomain, isQualifiedName } from './names';
import { withRules } from './withRules';

const KEY_HINT = 'must be a label name such as tier or acme.io/tier';
const VALUE_HINT =
  'must be a label value of at most 63 characters: letters, digits, -, _ and ., beginning and ending with a letter or digit';

export function isLabelKey(text: string): boolean {
  const slash = text.indexOf('/');
  return slash < 0
    ? isQualifiedName(text)
    : isDnsSubdomain(text.slice(0, slash)) && isQualifiedName(text.slice(slash + 1));
}

export function isLabelValue(text: string): boolean {
  return text === '' || isQualifiedName(text);
}

export const labelKeySchema = z.string().refine(isLabelKey, KEY_HINT);
const labelValueSchema = z.string().refine(isLabelValue, VALUE_HINT);

export const labelMapSchema = z.record(labelKeySchema, labelValueSchema);

const expressionSchema = withRules(
  z.strictObject({
    key: labelKeySchema.describe('Name of the label.'),
    operator: z
      .enum(['In', 'NotIn', 'Exists', 'DoesNotExist'])
      .describe('How the label is compared.'),
    values: z.array(labelValueSchema).optional().describe('For In and NotIn: the values.'),
  }),
  ({ operator, values }, report) => {
    const takesValues = operator === 'In' || operator === 'NotIn';
    const count = Array.isArray(values) ? values.length : 0;
    if (takesValues && count === 0) {
      report(['values'], `${operator} needs at least one value`);
    }
    if ((operator === 'Exists' || operator === 'DoesNotExist') && count > 0) {
      report(['values'], `${operator} takes no values: take them out, or use In or NotIn`);
    }
  },
);

/**
 * Unknown keys alone would make the union settle on this form, and call `{ring: yes}`
 * an unknown field. A map without maps in it was meant as the plain form.
 */
const selectorSchema = z
  .strictObject({
    matchLabels: labelMapSchema
      .optional()
      .describe('Labels that the cluster must carry, all of them.'),
    matchExpressions: z
      .array(expressionSchema)
      .optional()
      .describe('Further conditions, all of them.'),
  })
  .superRefine(
    (_selector, context) =>
      context.addIssue({ code: 'custom', message: 'is a plain map', continue: false }),
    { when: ({ issues, value }) => issues.length > 0 && isPlainMap(value) },
  );

function isPlainMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(entry => typeof entry !== 'object');
}

/** A plain map of labels, or `{matchLabels, matchExpressions}`. */
export const labelsSchema = z.union([selectorSchema, labelMapSchema], {
  error: 'must be a map of labels, or {matchLabels, matchExpressions}',
});

export type Labels = z.infer<typeof labelsSchema>;
export type LabelSelector = z.infer<typeof selectorSchema>;

/** One form of the two. */
export function toLabelSelector(labels: Labels): LabelSelector {
  return isSelector(labels) ? labels : { matchLabels: labels };
}

/** A label that is called `matchLabels` has a text as its value, a selector's part never has. */
function isSelector(labels: Labels): labels is LabelSelector {
  return Object.values(labels).every(value => typeof value !== 'string');
}
