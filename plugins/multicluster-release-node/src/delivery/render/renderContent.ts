import type { Finding, FleetCluster } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../../ports';
import { addLabels } from './addLabels';
import { applyOverrides, type OverrideRule } from './applyOverrides';
import { dropServerFields } from './dropServerFields';
import { encodeSecretData } from './encodeSecretData';
import { readManifests, refuseDuplicates, refuseNothing } from './readManifests';
import { RenderError } from './RenderError';
import { setImages, type ImageRule } from './setImages';
import { setNamespaces } from './setNamespaces';
import { checkVersion, substituteVersion } from './substituteVersion';

export interface RenderInput {
  /** The service's entity reference. */
  service: string;
  /** Parsed manifests, as the author wrote them. */
  objects: unknown[];
  /** `targetVersion`. */
  version: string;
  images: ImageRule[];
  overrides: OverrideRule[];
  cluster: FleetCluster;
  /** The target's namespace. */
  namespace: string;
}

export interface RenderedContent {
  /** Empty where a finding is an error. */
  objects: KubernetesObject[];
  findings: Finding[];
}

/**
 * What one target shall run: manifests with version, images, namespace, overrides
 * of that cluster and our labels. Pure; every fault is a finding.
 */
export function renderContent(input: RenderInput): RenderedContent {
  const { cluster, namespace, version } = input;
  try {
    checkVersion(version);
    const written = readManifests(input.objects).map(dropServerFields);
    const versioned = substituteVersion(written, version);
    const findings = setImages(versioned, input.images, version);
    const placedFindings = setNamespaces(versioned, namespace);
    const overrides = substituteVersion(input.overrides, version);
    const objects = applyOverrides(versioned, overrides, cluster).map(dropServerFields);
    objects.forEach(encodeSecretData);
    refuseDuplicates(objects);
    refuseNothing(objects);
    addLabels(objects, input.service);
    return {
      objects,
      findings: [...findings, ...placedFindings].map(finding => ({
        ...finding,
        cluster: cluster.name,
      })),
    };
  } catch (error) {
    if (error instanceof RenderError) {
      return { objects: [], findings: [findingOf(error, cluster.name)] };
    }
    throw error;
  }
}

function findingOf(error: RenderError, cluster: string): Finding {
  return {
    severity: 'error',
    code: error.code,
    params: { cluster, ...error.params },
    message: `${cluster}: ${error.message}`,
    cluster,
    path: error.path,
  };
}
