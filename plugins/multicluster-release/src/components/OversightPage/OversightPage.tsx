import { Content, Header, HeaderTabs, Page } from '@backstage/core-components';
import { useAppSearchParams } from '@backstage/frontend-plugin-api';
import { useTexts } from '../../hooks';
import { ActiveReleases } from './ActiveReleases';
import { Clusters } from './Clusters';

const TABS = ['active', 'clusters'] as const;

/** The oversight page for apps of the old frontend system, which have no sub-pages. */
export function OversightPage() {
  const { text } = useTexts();
  const [params, setParams] = useAppSearchParams();
  const selected = params.get('tab') === 'clusters' ? 1 : 0;
  return (
    <Page themeId="tool">
      <Header title={text('page.title')} />
      <HeaderTabs
        selectedIndex={selected}
        onChange={index => setParams({ tab: TABS[index] })}
        tabs={[
          { id: 'active', label: text('page.activeTab') },
          { id: 'clusters', label: text('page.clustersTab') },
        ]}
      />
      <Content>{selected === 0 ? <ActiveReleases /> : <Clusters />}</Content>
    </Page>
  );
}
