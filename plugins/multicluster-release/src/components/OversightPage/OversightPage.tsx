import type { ComponentType } from 'react';
import { Content, Header, HeaderTabs, Page } from '@backstage/core-components';
import { useAppSearchParams } from '@backstage/frontend-plugin-api';
import { useTexts } from '../../hooks';
import type { TextKey } from '../../text';
import { StopBanner } from '../StopBanner';
import { ActiveReleases } from './ActiveReleases';
import { Approvals } from './Approvals';
import { Clusters } from './Clusters';
import { Controls } from './Controls';

const TABS: { id: string; label: TextKey; View: ComponentType }[] = [
  { id: 'active', label: 'page.activeShort', View: ActiveReleases },
  { id: 'approvals', label: 'page.approvalsTab', View: Approvals },
  { id: 'clusters', label: 'page.clustersTab', View: Clusters },
  { id: 'controls', label: 'page.controlsTab', View: Controls },
];

/** The oversight page for apps of the old frontend system, which have no sub-pages. */
export function OversightPage() {
  const { text } = useTexts();
  const [params, setParams] = useAppSearchParams();
  const selected = Math.max(
    0,
    TABS.findIndex(({ id }) => id === params.get('tab')),
  );
  const { id: tab, View } = TABS[selected];
  return (
    <Page themeId="tool">
      <Header title={text('page.title')} />
      <HeaderTabs
        selectedIndex={selected}
        onChange={index => setParams({ tab: TABS[index].id })}
        tabs={TABS.map(({ id, label }) => ({ id, label: text(label) }))}
      />
      <Content>
        {/* Where the stops themselves are listed, it would say everything twice. */}
        {tab !== 'controls' && <StopBanner />}
        <View />
      </Content>
    </Page>
  );
}
