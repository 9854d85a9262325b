import { z } from 'zod';
import { consistsOf, isAlphanumeric, isLowerAlphanumeric } from './characters';

const LABEL_HINT =
  'must be a Kubernetes name of at most 63 characters: lower-case letters, digits and -, beginning and ending with a letter or digit';
const SUBDOMAIN_HINT =
  'must be a Kubernetes name of at most 253 characters: lower-case letters, digits, - and ., beginning and ending with a letter or digit';

/** DNS-1123 label: namespaces, groups. */
export function isDnsLabel(text: string): boolean {
  return (
    text.length <= 63 &&
    consistsOf(text, character => isLowerAlphanumeric(character) || character === '-') &&
    !text.startsWith('-') &&
    !text.endsWith('-')
  );
}

/** DNS-1123 subdomain: most object names. Its parts may be longer than 63, as the API server has it. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && text.split('.').every(part => isDnsLabelOfAnyLength(part));
}

function isDnsLabelOfAnyLength(text: string): boolean {
  return (
    consistsOf(text, character => isLowerAlphanumeric(character) || character === '-') &&
    !text.startsWith('-') &&
    !text.endsWith('-')
  );
}

/** What may stand in a label's name and value: letters, digits, `-`, `_`, `.`, not at the ends. */
export function isQualifiedName(text: string): boolean {
  return (
    text.length <= 63 &&
    consistsOf(text, character => isAlphanumeric(character) || '-_.'.includes(character)) &&
    isAlphanumeric(text[0]) &&
    isAlphanumeric(text[text.length - 1])
  );
}

export const dnsLabelSchema = z.string().refine(isDnsLabel, LABEL_HINT).meta({ maxLength: 63 });
export const namespaceSchema = dnsLabelSchema.describe('Namespace in the cluster.');
export const dnsSubdomainSchema = z
  .string()
  .refine(isDnsSubdomain, SUBDOMAIN_HINT)
  .meta({ maxLength: 253 });
export const clusterNameSchema = dnsSubdomainSchema.describe('Name of a configured cluster.');

/** Any text that says something. */
export const textSchema = z
  .string()
  .refine(text => text.trim() !== '', 'must not be empty')
  .meta({ minLength: 1 });
