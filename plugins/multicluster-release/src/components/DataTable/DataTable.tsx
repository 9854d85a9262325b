import type { ReactNode } from 'react';
import Paper from '@material-ui/core/Paper';
import Typography from '@material-ui/core/Typography';
import { makeStyles } from '@material-ui/core/styles';
import { useNarrow } from '../../hooks';
import { quietColor } from '../ReleaseStatus';

const useStyles = makeStyles(theme => ({
  region: { overflowX: 'auto' },
  table: {
    borderCollapse: 'collapse',
    width: '100%',
    ...theme.typography.body2,
    '& th, & td': {
      padding: theme.spacing(1, 2),
      textAlign: 'left',
      verticalAlign: 'top',
      borderBottom: `1px solid ${theme.palette.divider}`,
    },
    '& thead th': { color: quietColor(theme), whiteSpace: 'nowrap' },
    '& tbody th': { fontWeight: 500, whiteSpace: 'nowrap' },
    '& tbody tr:last-child > *': { borderBottom: 0 },
  },
  // A mark, not a ground: coloured words keep their contrast.
  current: { boxShadow: `inset 4px 0 0 ${theme.palette.text.primary}` },
  cards: { listStyle: 'none', margin: 0, padding: 0 },
  card: { padding: theme.spacing(1.5, 2), marginBottom: theme.spacing(1) },
  facts: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 3fr)',
    gap: theme.spacing(0.5, 1),
    margin: 0,
    ...theme.typography.body2,
    '& dt': { color: quietColor(theme) },
    '& dd': { margin: 0, overflowWrap: 'anywhere' },
  },
}));

export interface Column<T> {
  header: string;
  render: (row: T) => ReactNode;
}

export interface DataTableProps<T> {
  /** Names the table for readers. */
  label: string;
  /** The first one heads each row. */
  columns: Column<T>[];
  rows: T[];
  rowKey: (row: T) => string;
  isCurrent?: (row: T) => boolean;
}

/** A plain table; on narrow screens one card per row, so that nothing scrolls sideways. */
export function DataTable<T>(props: DataTableProps<T>) {
  const narrow = useNarrow();
  return narrow ? <Cards {...props} /> : <WideTable {...props} />;
}

function WideTable<T>({ label, columns, rows, rowKey, isCurrent }: DataTableProps<T>) {
  const classes = useStyles();
  const [first, ...others] = columns;
  return (
    // Where the page is too narrow it scrolls by itself, and can be reached by key for that.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <Paper
      variant="outlined"
      className={classes.region}
      tabIndex={0}
      role="group"
      aria-label={label}
    >
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.header} scope="col">
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowKey(row)} className={isCurrent?.(row) ? classes.current : undefined}>
              <th scope="row">{first.render(row)}</th>
              {others.map(column => (
                <td key={column.header}>{column.render(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

function Cards<T>({ label, columns, rows, rowKey }: DataTableProps<T>) {
  const classes = useStyles();
  const [first, ...others] = columns;
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map(row => (
        <Paper key={rowKey(row)} component="li" variant="outlined" className={classes.card}>
          <Typography component="div" variant="subtitle2" gutterBottom>
            {first.render(row)}
          </Typography>
          <dl className={classes.facts}>
            {others.map(column => (
              <Fact key={column.header} name={column.header}>
                {column.render(row)}
              </Fact>
            ))}
          </dl>
        </Paper>
      ))}
    </ul>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
