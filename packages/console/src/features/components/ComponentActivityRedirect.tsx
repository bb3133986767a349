import { type LoaderFunctionArgs, replace } from 'react-router'
import { paths } from '../../paths'
import { paramsOf } from '../../ui/page/route-params'
import { rememberedActivity } from './activity-memory'

/** An address without a part of the activity leads to the one that was looked at last. */
export function loader({ params }: LoaderFunctionArgs) {
  const at = paramsOf(params, 'namespace', 'application', 'component')
  return replace(paths.componentActivityTab({ ...at, activityTab: rememberedActivity(at.component).get() }))
}

export { ComponentActivityRedirect as Component }
const ComponentActivityRedirect = () => null
