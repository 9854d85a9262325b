import Checkbox from '@material-ui/core/Checkbox';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import FormGroup from '@material-ui/core/FormGroup';
import Typography from '@material-ui/core/Typography';
import {
  targetKey,
  type TargetKey,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';

/** Those that were chosen, as an order names them. */
export function refsOf(targets: TargetView[], chosen: ReadonlySet<TargetKey>) {
  return targets
    .filter(target => chosen.has(targetKey(target)))
    .map(({ cluster, namespace }) => ({ cluster, namespace }));
}

/** Some of the clusters of a release. */
export function ClusterChoice(props: {
  targets: TargetView[];
  chosen: ReadonlySet<TargetKey>;
  onChosen: (chosen: ReadonlySet<TargetKey>) => void;
}) {
  const { targets, chosen, onChosen } = props;
  const { text } = useTexts();
  const toggle = (key: TargetKey) => {
    const next = new Set(chosen);
    if (!next.delete(key)) {
      next.add(key);
    }
    onChosen(next);
  };
  return (
    <FormGroup>
      {targets.map(target => (
        <FormControlLabel
          key={targetKey(target)}
          control={
            <Checkbox
              color="primary"
              checked={chosen.has(targetKey(target))}
              onChange={() => toggle(targetKey(target))}
            />
          }
          label={`${target.cluster}/${target.namespace}`}
        />
      ))}
      {chosen.size === 0 && <Typography variant="body2">{text('dialog.rollbackNone')}</Typography>}
    </FormGroup>
  );
}
