import { paths } from '../../paths'
import { productName } from '../../product'
import { publicInfo } from '../../resources/public-info'
import { Page } from '../../ui/page/Page'
import { route } from '../../ui/page/route'
import { Introduction } from './Introduction'

export const page = route(paths.about, () => ({ read: [publicInfo.get()] }))

export { AboutPage as Component }
const AboutPage = () => (
  <Page title={`About ${productName}`}>
    <Introduction />
  </Page>
)
