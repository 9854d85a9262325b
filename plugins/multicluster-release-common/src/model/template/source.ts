import { z } from 'zod';
import { freeMapSchema } from '../primitives/objects';
import { textSchema } from '../primitives/names';
import { versionedTextSchema } from '../primitives/versions';
import { exactlyOne, withRules } from '../primitives/withRules';

const manifestsSchema = withRules(
  z.strictObject({
    location: textSchema.optional().describe('File, folder or URL, relative to this document.'),
    ref: versionedTextSchema
      .optional()
      .describe('Git revision of a version, for example v${version}.'),
    inline: z.array(freeMapSchema).optional().describe('The objects themselves.'),
  }),
  exactlyOne(['location', 'inline'], 'a place for the manifests'),
  ({ ref, location }, report) => {
    if (ref !== undefined && location === undefined) {
      report(['ref'], 'goes only with location: name a location, or take ref out');
    }
  },
).describe('Plain Kubernetes manifests.');

const kustomizeSchema = z
  .strictObject({
    location: textSchema.describe('Folder of the kustomization, relative to this document.'),
  })
  .describe('A kustomization.');

const helmSchema = z
  .strictObject({
    chart: z
      .union([
        textSchema,
        z.strictObject({
          repo: textSchema.describe('Address of the chart repository.'),
          name: textSchema.describe('Name of the chart.'),
        }),
      ])
      .describe('OCI address or folder of the chart, or repository and name.'),
    version: versionedTextSchema.optional().describe('Version of the chart.'),
    values: freeMapSchema.optional().describe('Values.'),
    valuesFiles: z.array(textSchema).optional().describe('Files of values, the later wins.'),
  })
  .describe('A Helm chart.');

const olmSchema = z.strictObject({
  package: textSchema.describe('Name of the package.'),
  channel: textSchema.describe('Channel of the package.'),
  source: textSchema.describe('Name of the catalog source.'),
});

const roleSchema = z.strictObject({
  patch: z.union([z.array(freeMapSchema), freeMapSchema]).describe('What is changed in this role.'),
});

const operatorSchema = z
  .strictObject({
    manifests: manifestsSchema.optional().describe('Manifests of the operator.'),
    crds: textSchema.optional().describe('Folder of its custom resource definitions.'),
    olm: olmSchema.optional().describe('Install it through the Operator Lifecycle Manager.'),
    standby: roleSchema.optional().describe('The operator while it stands by.'),
    active: roleSchema.optional().describe('The operator while it is in charge.'),
  })
  .describe('A Kubernetes operator.');

export const sourceSchema = withRules(
  z.strictObject({
    manifests: manifestsSchema.optional(),
    kustomize: kustomizeSchema.optional(),
    helm: helmSchema.optional(),
    operator: withRules(
      operatorSchema,
      exactlyOne(['manifests', 'olm'], 'a way to install the operator'),
    ).optional(),
  }),
  exactlyOne(['manifests', 'kustomize', 'helm', 'operator'], 'a source'),
).describe('Where the content comes from; exactly one.');

export const versionsSchema = withRules(
  z.strictObject({
    list: z.array(versionedTextSchema).optional().describe('The versions themselves.'),
    tags: z
      .strictObject({
        repository: textSchema.describe('Repository, relative to this document.'),
        pattern: textSchema.optional().describe('Which tags, for example v*.'),
      })
      .optional()
      .describe('Tags of a repository.'),
    registry: textSchema.optional().describe('Image whose tags are the versions.'),
  }),
  exactlyOne(['list', 'tags', 'registry'], 'a list of versions'),
).describe('What can be released; typed in where it is left out.');
