import { useId } from 'react';
import Button from '@material-ui/core/Button';
import FormControl from '@material-ui/core/FormControl';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import FormLabel from '@material-ui/core/FormLabel';
import MenuItem from '@material-ui/core/MenuItem';
import Radio from '@material-ui/core/Radio';
import RadioGroup from '@material-ui/core/RadioGroup';
import TextField from '@material-ui/core/TextField';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { HoldView, VersionChoice } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { LoadingSkeleton, Notice, ProblemPanel } from '../Notices';
import { quietColor, ReleaseStatus } from '../ReleaseStatus';
import { strategyOf } from './draft';
import type { StartRelease } from './useStartRelease';

const useStyles = makeStyles(theme => ({
  field: { marginTop: theme.spacing(2) },
  choice: { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: theme.spacing(0, 2) },
  quiet: { color: quietColor(theme), overflowWrap: 'anywhere' },
}));

/** Which document, and which version of it. */
export function VersionStep({ flow }: { flow: StartRelease }) {
  const { text } = useTexts();
  const { offer, draft, change } = flow;
  if (offer.error !== undefined && !offer.value) {
    return <ProblemPanel error={offer.error} onRetry={offer.refresh} />;
  }
  if (!offer.value) {
    return <LoadingSkeleton heights={[56, 120, 56]} />;
  }
  const { versions } = offer.value;
  const hold = versions.find(({ version }) => version === draft.version.trim())?.hold;
  return (
    <>
      <TemplateChoice flow={flow} />
      <VersionList versions={versions} flow={flow} />
      <TypedVersion version={draft.version} onChange={version => change({ version })} />
      {hold && <HeldVersion hold={hold} flow={flow} />}
      {versions.length === 0 && <Typography variant="body2">{text('start.noVersions')}</Typography>}
    </>
  );
}

function TemplateChoice({ flow }: { flow: StartRelease }) {
  const { text } = useTexts();
  const classes = useStyles();
  const fieldId = useId();
  const { offer, template, change } = flow;
  const documents = offer.value?.documents ?? [];
  if (!template) {
    return <Notice status="failed">{text('header.startNoDocuments')}</Notice>;
  }
  const strategy = strategyOf(template);
  return (
    <TextField
      id={fieldId}
      select
      fullWidth
      className={classes.field}
      variant="outlined"
      label={text('start.template')}
      value={template.metadata.name}
      helperText={strategy && text('start.strategy', { strategy })}
      onChange={event => change({ template: event.target.value })}
    >
      {documents.map(({ metadata }) => (
        <MenuItem key={metadata.name} value={metadata.name}>
          {metadata.name}
        </MenuItem>
      ))}
    </TextField>
  );
}

function VersionList({ versions, flow }: { versions: VersionChoice[]; flow: StartRelease }) {
  const { text } = useTexts();
  const classes = useStyles();
  if (versions.length === 0) {
    return null;
  }
  return (
    <FormControl component="fieldset" className={classes.field}>
      <FormLabel component="legend">{text('start.choose')}</FormLabel>
      <RadioGroup
        value={flow.draft.version}
        onChange={event => flow.change({ version: event.target.value })}
      >
        {versions.map(choice => (
          <FormControlLabel
            key={choice.version}
            value={choice.version}
            control={<Radio color="primary" />}
            label={<ChoiceLabel choice={choice} />}
          />
        ))}
      </RadioGroup>
    </FormControl>
  );
}

function ChoiceLabel({ choice }: { choice: VersionChoice }) {
  const { text, list } = useTexts();
  const classes = useStyles();
  const { version, source, hold, runningOn } = choice;
  const where =
    runningOn.length > 0
      ? text('start.runningOn', { clusters: list(runningOn) })
      : text('start.runsNowhere');
  const origin = text(source === 'list' ? 'start.listed' : 'start.wasReleased');
  return (
    <span className={classes.choice}>
      <strong>{version}</strong>
      {hold && <ReleaseStatus status="paused" word={text('start.onHold')} />}
      <Typography component="span" variant="body2" className={classes.quiet}>
        {where} · {origin}
      </Typography>
    </span>
  );
}

function TypedVersion(props: { version: string; onChange: (version: string) => void }) {
  const { text } = useTexts();
  const classes = useStyles();
  const fieldId = useId();
  return (
    <TextField
      id={fieldId}
      fullWidth
      className={classes.field}
      variant="outlined"
      label={text('start.typed')}
      helperText={text('start.typedHelp')}
      value={props.version}
      onChange={event => props.onChange(event.target.value)}
    />
  );
}

/** A version that was rolled back does not come again by itself; a person may release it. */
function HeldVersion({ hold, flow }: { hold: HoldView; flow: StartRelease }) {
  const texts = useTexts();
  const now = Date.now();
  return (
    <Notice
      status="paused"
      role="status"
      action={
        <Button variant="outlined" onClick={() => flow.releaseHold(hold.id)}>
          {texts.text('start.holdRelease')}
        </Button>
      }
    >
      {texts.text('start.holdWhy', {
        version: hold.version,
        time: texts.time(hold.since, now),
        reason: hold.reason,
      })}
    </Notice>
  );
}
