import { useState, type ReactNode } from 'react';
import Paper from '@material-ui/core/Paper';
import { makeStyles } from '@material-ui/core/styles';
import ExpandLess from '@material-ui/icons/ExpandLess';
import ExpandMore from '@material-ui/icons/ExpandMore';
import { targetKey } from 'backstage-plugin-multicluster-release-common';
import { Button } from '../Button';
import { useTexts } from '../../hooks';
import type { LaneGroup } from './groups';
import { LaneCard, LaneRow, type LaneProps } from './Lane';
import { quietColor } from '../ReleaseStatus';

const PAGE_SIZE = 50;

const useStyles = makeStyles(theme => ({
  region: { overflowX: 'auto' },
  table: {
    borderCollapse: 'collapse',
    width: '100%',
    tableLayout: 'fixed',
    minWidth: 720,
    '& th, & td': {
      padding: theme.spacing(1, 1.5),
      textAlign: 'left',
      verticalAlign: 'top',
      fontWeight: 'inherit',
      ...theme.typography.body2,
    },
    '& tbody tr': { borderTop: `1px solid ${theme.palette.divider}` },
    '& thead th': { color: quietColor(theme) },
    '& thead th:nth-child(1)': { width: '18%' },
    '& thead th:nth-child(2)': { width: '16%' },
    '& thead th:nth-child(3)': { width: '26%' },
    '& thead th:nth-child(4)': { width: '15%' },
  },
  group: { textTransform: 'none', fontWeight: 700 },
  cards: { listStyle: 'none', margin: 0, padding: 0 },
}));

type SharedLaneProps = Omit<LaneProps, 'target'>;

interface LaneGroupsProps {
  groups: LaneGroup[];
  narrow: boolean;
  /** Whether groups that nobody has touched are open. */
  startOpen: boolean;
  lane: SharedLaneProps;
}

/** The lanes by group; groups fold, and show their clusters by the page. */
export function LaneGroups(props: LaneGroupsProps) {
  return props.narrow ? <CardGroups {...props} /> : <TableGroups {...props} />;
}

function TableGroups({ groups, startOpen, lane }: LaneGroupsProps) {
  const { text } = useTexts();
  const classes = useStyles();
  const headers = ['cluster', 'version', 'timeline', 'state', 'message'] as const;
  return (
    // Only this region scrolls sideways where the page is too narrow, and it can be reached by key.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <Paper
      variant="outlined"
      className={classes.region}
      tabIndex={0}
      role="group"
      aria-label={text('lanes.title')}
    >
      <table className={classes.table}>
        <thead>
          <tr>
            {headers.map(header => (
              <th key={header} scope="col">
                {text(`lanes.${header}`)}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(group => (
          <Foldable
            key={group.name ?? ''}
            group={group}
            startOpen={startOpen}
            alone={groups.length === 1}
          >
            {({ head, shown, more }) => (
              <tbody>
                {head && (
                  <tr>
                    <th scope="rowgroup" colSpan={headers.length}>
                      {head}
                    </th>
                  </tr>
                )}
                {shown.map(target => (
                  <LaneRow key={targetKey(target)} target={target} {...lane} />
                ))}
                {more && (
                  <tr>
                    <td colSpan={headers.length}>{more}</td>
                  </tr>
                )}
              </tbody>
            )}
          </Foldable>
        ))}
      </table>
    </Paper>
  );
}

function CardGroups({ groups, startOpen, lane }: LaneGroupsProps) {
  const classes = useStyles();
  return (
    <>
      {groups.map(group => (
        <Foldable
          key={group.name ?? ''}
          group={group}
          startOpen={startOpen}
          alone={groups.length === 1}
        >
          {({ head, shown, more }) => (
            <>
              {head}
              <ul className={classes.cards}>
                {shown.map(target => (
                  <LaneCard key={targetKey(target)} target={target} {...lane} />
                ))}
              </ul>
              {more}
            </>
          )}
        </Foldable>
      ))}
    </>
  );
}

interface FoldableParts {
  head: ReactNode;
  shown: LaneGroup['targets'];
  more: ReactNode;
}

/** What is open and how much of it is shown; drawing is left to the child. */
function Foldable(props: {
  group: LaneGroup;
  startOpen: boolean;
  /** The only group, without a name, needs no head and no folding. */
  alone: boolean;
  children: (parts: FoldableParts) => ReactNode;
}) {
  const { group, startOpen, alone } = props;
  const { text } = useTexts();
  const classes = useStyles();
  const [touched, setTouched] = useState<boolean>();
  const [pages, setPages] = useState(1);
  const headless = alone && group.name === undefined;
  const open = headless || (touched ?? startOpen);
  const shown = open ? group.targets.slice(0, pages * PAGE_SIZE) : [];
  const rest = open ? group.targets.length - shown.length : 0;
  const head = !headless && (
    <Button
      size="small"
      className={classes.group}
      aria-expanded={open}
      startIcon={open ? <ExpandLess /> : <ExpandMore />}
      onClick={() => setTouched(!open)}
    >
      {text(group.unchanged > 0 ? 'lanes.groupUnchanged' : 'lanes.group', {
        group: group.name ?? text('lanes.ungrouped'),
        done: group.done,
        total: group.targets.length,
        unchanged: group.unchanged,
      })}
    </Button>
  );
  const more = rest > 0 && (
    <Button size="small" onClick={() => setPages(pages + 1)}>
      {text('lanes.showMore', { count: Math.min(rest, PAGE_SIZE) })}
    </Button>
  );
  return <>{props.children({ head, shown, more })}</>;
}
