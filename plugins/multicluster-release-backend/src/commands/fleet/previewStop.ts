import type { Reach, StopScope } from 'backstage-plugin-multicluster-release-common';
import type { CommandContext } from '../CommandContext';
import { DocumentsRefusedError } from '../errors';
import type { FindServices } from './checkNames';
import { readFleetView } from './FleetView';
import { measureReach } from './reach';
import { readScope, type GivenScope } from './readScope';

/**
 * How far an emergency stop would go, before it is ordered.
 *
 * @throws DocumentsRefusedError with every fault
 */
export async function previewStop(
  context: CommandContext,
  { scope: given, find }: { scope: GivenScope; find: FindServices },
): Promise<{ scope: StopScope; reach: Reach }> {
  const fleet = await readFleetView(context);
  const { scope, faults } = await readScope(given, fleet, find);
  if (faults.length > 0) {
    throw new DocumentsRefusedError('InvalidStop', faults);
  }
  return { scope, reach: measureReach(scope, fleet) };
}
