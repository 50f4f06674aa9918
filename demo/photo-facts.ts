import type { ImageFacts } from '#contract/images.ts'

/**
 * The photos of the demo are what an upload of them becomes, and this is what the site would find in them: a first start
 * stores them as they are, and nobody waits for two dozen photos to be encoded.
 */
export const photoFacts: Readonly<Record<string, ImageFacts>> = {
  'aircraft-1-detail-1.jpg': {
    width: 1500,
    height: 1500,
    placeholder:
      'data:image/webp;base64,UklGRrwAAABXRUJQVlA4ILAAAABQBQCdASoUABQAPxF+t1WsJ6UjKAgBgCIJbACdL8CAjclTW10djj1BPoY5BYQleIN/2gAA/uO/WIlxB8f2n5wmzDTOhbwsxAcdFjNpdPLgPN++XiNCRM2Dz/zJBIK1B3ib386ceznej6p5R+D4ekMu7EfoINxwKao1LZ0vlPiWetJnhDyM8SvGgoTL7V0zlbE2mvzEiBPvz2NAYliAHEu24Zxgjl1j7fHNIclbZAAAAA==',
  },
  'aircraft-1-detail-2.jpg': {
    width: 1800,
    height: 1200,
    placeholder:
      'data:image/webp;base64,UklGRmYAAABXRUJQVlA4IFoAAACwAwCdASoUAA0APxFwsFAsJiSisAgBgCIJYgC7ABxLQUHyikftAADutjMNrx4GNI5xkg5wjOQkXrSomD7UEUx0+960xpn8s0hmg0kf2bT6hGX390AMJBgAAAA=',
  },
  'aircraft-1.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRmIAAABXRUJQVlA4IFYAAABwAwCdASoUAA0APxFysFAsJqSisAgBgCIJQBfnBD3tKibdq+AA/ni//H35WBnmFWLXtjy0FKaIPUcojbVNMMl/jLNCWnn8eC7sVP194pt/8JqvNuQAAA==',
  },
  'aircraft-2.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRmoAAABXRUJQVlA4IF4AAABwAwCdASoUAA0APxFysFAsJqSisAgBgCIJQBWAAqiAlbkQCIAA/qmXR+j/9I0j1sNuBPyEfwP4NHNluD2jCO6QfGVuyd/d57bJedAvKiM82/0dlUlYaOHmxuaLkoAA',
  },
  'automotive-1.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRnQAAABXRUJQVlA4IGgAAADwAwCdASoUAA0APxFwsFAsJiSisAgBgCIJZACdMoACfGZXGHgMLusAAP68gDm2CqjG6psEeOtW9gJHYFD0InYVkSK6jwzExxPRg/zr0Jk8Lp1Be7AB+kMvy5Qi4XQG5JjWZAG+g5UAAA==',
  },
  'automotive-2.jpg': {
    width: 1600,
    height: 1280,
    placeholder:
      'data:image/webp;base64,UklGRnoAAABXRUJQVlA4IG4AAADwAwCdASoUABAAPxFysFAsJqSisAgBgCIJQBWAAtlqV86xUew4lrJQAP7o6WzHUAI0DrLmYhFVpl9UL96Rx9Moa5e2fjB+0v7azNdD14Ob4xvR9CBgspqncYzJxL+FzdKML7wkyZBIM6ddOToIAA==',
  },
  'figures-1.jpg': {
    width: 1280,
    height: 1600,
    placeholder:
      'data:image/webp;base64,UklGRnQAAABXRUJQVlA4IGgAAAAQBACdASoQABQAPxFysFAsJqSisAgBgCIJQBdgBHpKqojyWGSshjY7AAD+6O02AwJaqR9ws6EWheTT2G/PIhywJp6opmZIWx/GDmL1bP296frSoXK9cnc8k2BkszXEdcsX0sU+9oAAAA==',
  },
  'figures-2-detail-1.jpg': {
    width: 1500,
    height: 1500,
    placeholder:
      'data:image/webp;base64,UklGRoYAAABXRUJQVlA4IHoAAAAQBACdASoUABQAPxF6tFOsJ6SiqAqpgCIJQBfnAUccLFhAmEBZfb4rgAD+6efr8xygz0c69PHfwSUGOMY2CRHZ/QaKFn55Oa5Yo0X1MURTUbwjCqNs/hg97a+Mrr3EHf3kUkhauRChnZ+q1LFg0SmggDJ5zU+EjQAAAA==',
  },
  'figures-2.jpg': {
    width: 1280,
    height: 1600,
    placeholder:
      'data:image/webp;base64,UklGRnYAAABXRUJQVlA4IGoAAAAwBACdASoQABQAPxFysFAsJqSisAgBgCIJZAC7AB6RsVXvm9lNcCqO+1AA/uv/JuBQ4RslenGL+4TiCFh3xkKjsj9R1sKS57LB/XWk6dw+x7hcVAdJsSSuchDLeAKenXiEcunNB7nk4SAA',
  },
  'locomotive-1-after.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRmYAAABXRUJQVlA4IFoAAACQAwCdASoUAA0APxFysFAsJqSisAgBgCIJQBdgAzt94EsHdYQAAP7pQw5qnCnxxGd9zHGSrbqvqBkJmHh6B3CuWnd47HfkmEGcoHcMcwTRr/vftezQAFbkAAA=',
  },
  'locomotive-1-before.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRmQAAABXRUJQVlA4IFgAAACQAwCdASoUAA0APxFysVAsJqSisAgBgCIJYwCuHBPDovT0kHKAAP7c8/5V4DwTzXioemK4QTQIFKxXo69IzqChL9lO0aFrOz4Ri3m66/2Ughi822wwQ4AA',
  },
  'locomotive-1-detail-1.jpg': {
    width: 1800,
    height: 1200,
    placeholder:
      'data:image/webp;base64,UklGRnIAAABXRUJQVlA4IGYAAABQAwCdASoUAA0APxFysFAsJqSisAgBgCIJZQAu/8CtAvhuAAD+7I2GDq90kUGa6IRMQvyl48Ob2uiJPNKxlDvkGFeT24Xgb3VuCAXcoNwIY8UUxCxDqo7wzkdNOjyfuTnD5/SAAAA=',
  },
  'locomotive-1-detail-2.jpg': {
    width: 1800,
    height: 1200,
    placeholder:
      'data:image/webp;base64,UklGRmQAAABXRUJQVlA4IFgAAAAwAwCdASoUAA0APxFysFAsJqSisAgBgCIJQBdgBZuD8WCAAP7q8vJDoYEmO/hQ5OfAbjJATTS1to4fJ4vIECHqLwDP9BvzPwLsygwjTr/FjsRukRTWLwAA',
  },
  'locomotive-1-detail-3.jpg': {
    width: 1200,
    height: 1800,
    placeholder:
      'data:image/webp;base64,UklGRngAAABXRUJQVlA4IGwAAACQAwCdASoNABQAPxFwsFAsJiSisAgBgCIJQAAJGC5YZXqpv1EAAP7r/xck9WtitQ4duVz2nYdCyc8nHnsr2EWl63OP4Cu/BNmxNqdlY76oIb3nqanb3kgZshuHIx9i76rkka/CiFvzD7/aAAA=',
  },
  'locomotive-1.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRmwAAABXRUJQVlA4IGAAAADQAwCdASoUAA0APxFysFAsJqSisAgBgCIJYwC2yBbKu/dokdDeTsAA/rx5z8PrLE0Kz/mznHSr8IySc7hZr4NQIWFYhEeFYZ3JBrvo0KeLMqkzDZgUd/qzCAfm/Z8AAAA=',
  },
  'locomotive-2.jpg': {
    width: 1600,
    height: 1200,
    placeholder:
      'data:image/webp;base64,UklGRmwAAABXRUJQVlA4IGAAAADwAwCdASoUAA8APxFysFAsJqSisAgBgCIJYgDG9CEpvX9BbZUe4vC4AP7w0qhjS1++c/NJCktDjP/oq31pRmVxMSGo8akKm2hFw4sw9fqgx9zLmV1VwLsHeNOoiE7v8AA=',
  },
  'military-1.jpg': {
    width: 1600,
    height: 1200,
    placeholder:
      'data:image/webp;base64,UklGRnAAAABXRUJQVlA4IGQAAAAQBACdASoUAA8APxFysVAsJqSisAgBgCIJYgCdAB6KT3gxT5DlvwCxgAD+8N+m0+G05FbyTj+Awo92pd9j0TJisSMtwWbrVUY55q5mDCx6RIrgLcsHXEJIcQpwuEm1ACF2UWAA',
  },
  'military-2.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRlwAAABXRUJQVlA4IFAAAADQAwCdASoUAA0APxFysFAsJqSisAgBgCIJQBYdhC1xFd9GURQjMQAA/ujbftT2KrmB6WpspGYvwX2K5XhCHqOPlDdFBoZhybOHO6vCVJAAAA==',
  },
  'ships-1-after.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRlYAAABXRUJQVlA4IEoAAACQAwCdASoUAA0APxFwsFAsJiSisAgBgCIJYwC7ABot7ovHOTuwAP7jRQ67kiFgKLTpunB4iuD7V/Vr2MgQElb66MFH6OC+UAAAAA==',
  },
  'ships-1-before.jpg': {
    width: 1600,
    height: 1067,
    placeholder:
      'data:image/webp;base64,UklGRlgAAABXRUJQVlA4IEwAAACwAwCdASoUAA0APxFysVAsJqSisAgBgCIJQBOmUABRqHsSKTzkAAD+40F7QsRxxgpjb7yTQFAIl+DcFTJIMLSK+0d1LLfIzhIHGAAA',
  },
  'ships-1-detail-1.jpg': {
    width: 1800,
    height: 1200,
    placeholder:
      'data:image/webp;base64,UklGRngAAABXRUJQVlA4IGwAAADwAwCdASoUAA0APxFysFAsJqSisAgBgCIJaACdMoADTeVFW7x1KzDSAP4XHWO93CbQBmfEs6fr1EbfpJiY7qTZTwmbnTLNLqlc8G8TqlTmEewCyjG9MJdZ5mM7Nl6vK+PAtjHrWzaRh0NU0AA=',
  },
  'ships-1-detail-2.jpg': {
    width: 1800,
    height: 1200,
    placeholder:
      'data:image/webp;base64,UklGRmYAAABXRUJQVlA4IFoAAACQAwCdASoUAA0APxFysFAsJqSisAgBgCIJYgAAWnf0dVQnr8sAAP7bar1tzQmzmK4I/ILNjxhXOE8KWEQo8kQ8ff9bUyQFY/KonvNk59v8jOEIEdDCDpRQAAA=',
  },
  'ships-1.jpg': {
    width: 1280,
    height: 1600,
    placeholder:
      'data:image/webp;base64,UklGRmoAAABXRUJQVlA4IF4AAADQAwCdASoQABQAPxFysFAsJqSisAgBgCIJYwAAUrf9IpmPyPnoDggA/u6hVo2mwEoAYBqaBbmtoqapTYiQqEakMECh04AzSxViEU4Qg8UhGsAfVe3k+xnM3jjKvwAA',
  },
  'ships-2.jpg': {
    width: 1600,
    height: 1600,
    placeholder:
      'data:image/webp;base64,UklGRo4AAABXRUJQVlA4IIIAAABwBACdASoUABQAPxF6r1MsJ6OiqA1RgCIJZAAAI4jZ56tE6ZyyoSGnAzchaAD+6O+xCWug6zyvteiM9mIk2kKzD83+zLPkXpD+iuFve6KMBAbdRXPreVEe91LDYPIpMlKA80rOEvV7vUTnIOqJkwUuurlglD/BnQ2Yfe+iGXWYgAAA',
  },
}
