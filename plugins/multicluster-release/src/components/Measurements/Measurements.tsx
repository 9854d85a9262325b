import type { ReleaseView, StageView } from 'backstage-plugin-multicluster-release-common';
import { useTexts, type MetricGate, type Polled } from '../../hooks';
import { Section } from '../DataTable';
import { ProblemPanel } from '../Notices';
import { StageMeasurements } from './StageMeasurements';

interface MeasurementsProps {
  release: ReleaseView;
  stages: StageView[];
  gates: Polled<MetricGate[]>;
  /** Whether hints arrive. */
  live: boolean;
}

/** What metric gates have read, stage by stage; nothing where a release measures nothing. */
export function Measurements({ release, stages, gates, live }: MeasurementsProps) {
  const { text } = useTexts();
  const { value = [], error, refresh } = gates;
  const failed = error !== undefined && !gates.value;
  if (value.length === 0 && !failed) {
    return null;
  }
  return (
    <Section title={text('metrics.title')}>
      {failed && <ProblemPanel error={error} onRetry={refresh} />}
      {value.map(gate => {
        const stage = stages.find(({ index }) => index === gate.stage);
        return (
          stage && (
            <StageMeasurements
              key={gate.gate}
              gate={gate}
              stage={stage}
              release={release}
              live={live}
            />
          )
        );
      })}
    </Section>
  );
}
