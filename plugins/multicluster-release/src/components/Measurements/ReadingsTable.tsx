import { useState } from 'react';
import type { MeasurementView, MetricRule } from 'backstage-plugin-multicluster-release-common';
import { useTexts } from '../../hooks';
import { valueWords, type Texts } from '../../text';
import { Button } from '../Button';
import { DataTable, type Column } from '../DataTable';
import { Moment } from '../Moment';
import { ReadingWord } from '../ReleaseStatus';

const PAGE_SIZE = 50;

/** The same as the charts, as a table: newest first. */
export function ReadingsTable(props: { rule: MetricRule; readings: MeasurementView[] }) {
  const { rule, readings } = props;
  const texts = useTexts();
  const { text } = texts;
  const [pages, setPages] = useState(1);
  const newestFirst = [...readings].reverse();
  const shown = newestFirst.slice(0, pages * PAGE_SIZE);
  return (
    <>
      <DataTable
        label={text('metrics.tableLabel', { metric: rule.name })}
        columns={columnsOf(rule, texts)}
        rows={shown}
        rowKey={({ id }) => String(id)}
      />
      {shown.length < newestFirst.length && (
        <Button size="small" onClick={() => setPages(pages + 1)}>
          {text('events.more')}
        </Button>
      )}
    </>
  );
}

function columnsOf(rule: MetricRule, texts: Texts): Column<MeasurementView>[] {
  const { text, number } = texts;
  return [
    { header: text('metrics.cluster'), render: ({ cluster }) => cluster },
    { header: text('metrics.time'), render: ({ at }) => <Moment at={at} seconds /> },
    { header: text('metrics.result'), render: ({ result }) => <ReadingWord result={result} /> },
    {
      header: text('metrics.valueHead'),
      render: ({ value }) => (value === undefined ? '–' : valueWords(value, rule, texts)),
    },
    {
      header: text('metrics.samplesHead'),
      render: ({ samples }) => (samples === undefined ? '–' : number(samples)),
    },
    // The server's words, which are English in every language of the page.
    { header: text('metrics.message'), render: ({ message }) => <span lang="en">{message}</span> },
  ];
}
