import { useId, useState } from 'react';
import Checkbox from '@material-ui/core/Checkbox';
import FormControl from '@material-ui/core/FormControl';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import FormGroup from '@material-ui/core/FormGroup';
import FormLabel from '@material-ui/core/FormLabel';
import Radio from '@material-ui/core/Radio';
import RadioGroup from '@material-ui/core/RadioGroup';
import TextField from '@material-ui/core/TextField';
import Typography from '@material-ui/core/Typography';
import { useApi } from '@backstage/frontend-plugin-api';
import type { ClusterView } from 'backstage-plugin-multicluster-release-common';
import { multiclusterReleaseApiRef } from '../../api';
import { usePolled, useTexts } from '../../hooks';
import type { StopKind } from '../../text';

const KINDS: StopKind[] = ['all', 'regions', 'groups', 'clusters', 'services'];
const LIST_MILLISECONDS = 60_000;

interface ScopeChoiceProps {
  kind: StopKind;
  names: string[];
  onChange: (kind: StopKind, names: string[]) => void;
}

/** What a stop reaches: one kind, and which of it. */
export function ScopeChoice({ kind, names, onChange }: ScopeChoiceProps) {
  const api = useApi(multiclusterReleaseApiRef);
  const { text } = useTexts();
  const clusters = usePolled({
    subject: 'clusters',
    load: () => api.listClusters(),
    interval: () => LIST_MILLISECONDS,
  });
  const choices = choicesOf(kind, clusters.value?.items ?? []);
  return (
    <>
      <FormControl component="fieldset" margin="normal" fullWidth>
        <FormLabel component="legend">{text('stops.orderWhat')}</FormLabel>
        <RadioGroup
          value={kind}
          onChange={(_, value) => onChange(KINDS.find(each => each === value) ?? 'all', [])}
        >
          {KINDS.map(each => (
            <FormControlLabel
              key={each}
              value={each}
              control={<Radio color="primary" />}
              label={text(`stops.kind.${each}`)}
            />
          ))}
        </RadioGroup>
      </FormControl>
      {kind === 'services' && <ServiceNames onNames={found => onChange(kind, found)} />}
      {choices && (
        <NameChoice choices={choices} names={names} onNames={chosen => onChange(kind, chosen)} />
      )}
    </>
  );
}

/** Undefined: this kind is not chosen from a list. */
function choicesOf(kind: StopKind, clusters: ClusterView[]): string[] | undefined {
  switch (kind) {
    case 'regions':
      return distinct(clusters.flatMap(({ region }) => region ?? []));
    case 'groups':
      return distinct(clusters.flatMap(({ groups }) => groups ?? []));
    case 'clusters':
      return distinct(clusters.map(({ name }) => name));
    default:
      return undefined;
  }
}

function distinct(names: string[]): string[] {
  return [...new Set(names)].sort();
}

function NameChoice(props: {
  choices: string[];
  names: string[];
  onNames: (names: string[]) => void;
}) {
  const { choices, names, onNames } = props;
  const { text } = useTexts();
  const toggle = (name: string) =>
    onNames(names.includes(name) ? names.filter(each => each !== name) : [...names, name].sort());
  return (
    <FormControl component="fieldset" margin="dense" fullWidth>
      <FormLabel component="legend">{text('stops.orderNames')}</FormLabel>
      <FormGroup>
        {choices.map(name => (
          <FormControlLabel
            key={name}
            control={
              <Checkbox
                color="primary"
                checked={names.includes(name)}
                onChange={() => toggle(name)}
              />
            }
            label={name}
          />
        ))}
      </FormGroup>
      {choices.length === 0 && <Typography>{text('stops.orderNoNames')}</Typography>}
    </FormControl>
  );
}

function ServiceNames({ onNames }: { onNames: (names: string[]) => void }) {
  const { text } = useTexts();
  const id = useId();
  const [typed, setTyped] = useState('');
  const change = (value: string) => {
    setTyped(value);
    onNames(distinct(value.split(/[\s,]+/).filter(name => name !== '')));
  };
  return (
    <TextField
      id={id}
      fullWidth
      variant="outlined"
      size="small"
      margin="dense"
      label={text('stops.orderServices')}
      placeholder="component:default/checkout"
      value={typed}
      onChange={event => change(event.target.value)}
    />
  );
}
