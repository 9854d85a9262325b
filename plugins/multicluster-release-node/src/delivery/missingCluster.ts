/** It may be back with the next reading of the configuration: until then it is one that does not answer. */
export function missingCluster(cluster: string): string {
  return `${cluster}: is no longer configured. Add it again, or skip it.`;
}
