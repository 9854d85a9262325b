import { useId } from 'react';
import FormControl from '@material-ui/core/FormControl';
import FormControlLabel from '@material-ui/core/FormControlLabel';
import FormLabel from '@material-ui/core/FormLabel';
import MenuItem from '@material-ui/core/MenuItem';
import Radio from '@material-ui/core/Radio';
import RadioGroup from '@material-ui/core/RadioGroup';
import TextField from '@material-ui/core/TextField';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { VersionChoice } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { HoldNotice } from '../HoldNotice';
import { LoadingSkeleton, Notice, ProblemPanel } from '../Notices';
import { quietColor, ReleaseStatus } from '../ReleaseStatus';
import { plainVersion, strategyOf } from './draft';
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
  const version = plainVersion(draft.version);
  const known = versions.some(choice => choice.version === version);
  return (
    <>
      <TemplateChoice flow={flow} />
      <VersionList versions={versions} flow={flow} />
      <TypedVersion
        version={draft.version}
        unlisted={version !== '' && versions.length > 0 && !known}
        onChange={typed => change({ version: typed })}
      />
      {flow.hold && <HoldNotice hold={flow.hold} onRelease={flow.releaseHold} />}
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

function TypedVersion(props: {
  version: string;
  /** None of those that are known; it may be a slip of the finger. */
  unlisted: boolean;
  onChange: (version: string) => void;
}) {
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
      helperText={
        props.unlisted
          ? text('start.unlisted', { version: plainVersion(props.version) })
          : text('start.typedHelp')
      }
      value={props.version}
      onChange={event => props.onChange(event.target.value)}
    />
  );
}
