import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import type { FieldChange, ObjectChange } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { fieldValue } from './fieldValue';
import { quietColor } from '../ReleaseStatus';

/** Objects with more fields than this are folded. */
const OPEN_UP_TO = 8;

const useStyles = makeStyles(theme => ({
  object: {
    borderTop: `1px solid ${theme.palette.divider}`,
    padding: theme.spacing(1, 0),
    ...theme.typography.body2,
  },
  summary: { cursor: 'pointer', overflowWrap: 'anywhere' },
  fields: { listStyle: 'none', margin: 0, padding: 0 },
  field: {
    display: 'grid',
    gap: theme.spacing(0, 2),
    padding: theme.spacing(0.5, 0, 0.5, 2),
    fontFamily: 'monospace',
    overflowWrap: 'anywhere',
    [theme.breakpoints.up('md')]: {
      gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1.5fr) minmax(0, 1.5fr)',
    },
  },
  label: { color: quietColor(theme) },
}));

/** One object: what happens to it, and its changed fields, below or beside each other. */
export function ObjectDiff({ change }: { change: ObjectChange }) {
  const { text } = useTexts();
  const classes = useStyles();
  const { kind, namespace, name, fields, notFullyChecked } = change;
  return (
    <details className={classes.object} open={fields.length <= OPEN_UP_TO}>
      <summary className={classes.summary}>
        <strong>
          {kind} {namespace ? `${namespace}/${name}` : name}
        </strong>{' '}
        – {text(`diff.${change.change}`)}
        {fields.length > 0 && ` – ${text('diff.showFields', { count: fields.length })}`}
      </summary>
      {notFullyChecked && (
        <Typography variant="body2">
          {text('diff.notFullyChecked', { why: notFullyChecked })}
        </Typography>
      )}
      <ul className={classes.fields}>
        {fields.map(field => (
          <Field key={field.pointer} kind={kind} field={field} />
        ))}
      </ul>
    </details>
  );
}

function Field({ kind, field }: { kind: string; field: FieldChange }) {
  const { text } = useTexts();
  const classes = useStyles();
  const before = fieldValue(kind, field, 'before', text);
  const after = fieldValue(kind, field, 'after', text);
  return (
    <li className={classes.field}>
      <span>{field.pointer}</span>
      <span>
        <span className={classes.label}>{text('diff.before')}: </span>
        {before}
      </span>
      <span>
        <span className={classes.label}>{text('diff.after')}: </span>
        {after}
      </span>
    </li>
  );
}
