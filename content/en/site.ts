import type { ProjectType } from '#contract/contact-fields.ts'
import type { Category } from '#contract/first-visit.ts'

const categories: Record<Category | 'all', string> = {
  all: 'All',
  locomotive: 'Locomotive',
  aircraft: 'Aircraft',
  ships: 'Ships',
  automotive: 'Automotive',
  military: 'Military (Vehicles)',
  figures: 'Figures',
}

const projectTypes: Record<ProjectType, string> = {
  locomotive: 'Locomotive',
  aircraft: 'Aircraft',
  ship: 'Ships',
  automotive: 'Automotive',
  militaryVehicles: 'Military Vehicles',
  custom: 'Custom Project',
}

export const site = {
  page: {
    title: 'Vitrina · Scale models built by hand in Querétaro',
    description:
      'Locomotives, aircraft, ships, cars, military vehicles and figures in scale, built one at a time. Each commission is priced individually; every message is answered within 48 hours.',
    projectTitle: (title: string, brand: string) => `${title} · ${brand}`,
    profession: 'Scale model maker',
  },
  navigation: {
    label: 'Main',
    skip: 'Skip to the content',
    home: 'Home',
    gallery: 'Gallery',
    about: 'About',
    contact: 'Contact',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
  },
  language: { label: 'Language' },
  hero: {
    title: 'The real thing, only smaller',
    subtitle:
      'Locomotives, aircraft, ships and machines with a past, built in metal and wood, one at a time, for people who remember the originals.',
    toGallery: 'See the models',
    toAbout: 'Meet the maker',
    photo: 'A crimson model steam locomotive lit by a warm lamp on a dark workbench.',
    scale: 'Scale',
  },
  featured: {
    label: 'Featured work',
    title: 'Fresh from the bench',
    open: (title: string) => `Look at ${title}`,
    empty: 'The display case is being filled. Ask for a model, and it may be the first one you see here.',
    emptyAction: 'Ask for a model',
  },
  pricing: {
    /** Shown when there is something to say about when commissions are taken. */
    commissions: '',
    label: 'Get in touch',
    title: 'Priced like it is built: one by one',
    description:
      'There is no price list, because no two models are alike. Tell me what you remember and each model is priced individually, by its scale, its detail and its hours. The quote costs nothing and binds you to nothing.',
    action: 'Request a quote',
    response: 'You will have a reply within 48 hours.',
    hours: '48 h',
    hoursLabel: 'from your message to my answer',
  },
  gallery: {
    label: 'Gallery',
    title: 'The display case',
    subtitle: 'Open a model to see its scale, its materials and the hours inside it.',
    filters: 'Filter by category',
    categories,
    loading: 'Loading projects…',
    empty: 'No projects in this category yet.',
    emptyAll: 'No projects yet.',
    failed: 'Failed to fetch projects',
    failedHint: 'The connection may have dropped. Nothing is lost.',
    retry: 'Try again',
    count: (count: number) => (count === 1 ? 'One model' : `${count} models`),
    more: (left: number) => `Show more models (${left} left)`,
    unavailable: 'The photo could not be loaded.',
  },
  contact: {
    label: 'Contact',
    title: 'Tell me about the one you remember',
    intro: 'A photograph, a name, a year: anything helps. I read every message myself and reply within 48 hours.',
    details: 'Details',
    email: 'Email',
    phone: 'Phone',
    whatsapp: { action: 'Write me a message', greeting: 'Hello! I am writing about a scale model.' },
    city: 'Workshop',
    cityName: 'Queretaro, Qro., Mexico',
    social: 'Elsewhere',
    form: {
      title: 'Request a quote',
      name: 'Name',
      email: 'Email',
      projectType: 'Project type',
      projectTypeNone: 'Choose one, if you like',
      projectTypes,
      message: 'Message',
      messageHint: 'What is it, what size should it be, and when do you need it?',
      required: 'required',
      submit: 'Send message',
      sending: 'Sending...',
      website: 'Leave this field empty',
      missing: 'Please fill in all required fields',
      missingField: {
        name: 'Please tell me your name.',
        email: 'Please enter your email address.',
        message: 'Please write a message.',
      },
      invalidEmail: 'That email address does not look right.',
      tooLong: (most: number) => `Please use at most ${most.toLocaleString('en')} characters.`,
      tooOften: 'You have sent several messages already. Please wait a few minutes; what you wrote is kept here.',
      tooMany: (email: string) =>
        `Too many messages arrived within the hour, so this one was not accepted. Please send it to ${email}; what you wrote is kept here.`,
      checkFields: 'Please check the marked fields',
      sentTitle: 'Message sent!',
      sentText: "Thank you for your interest. I'll get back to you soon.",
      failedTitle: 'Error',
      failedText: 'Failed to send message. Please try again.',
    },
  },
  footer: {
    tagline: 'Scale models for people who remember the originals. Over 40 years of experience.',
    quickLinks: 'Quick links',
    commissionInfo: 'Commission info',
    newsletterTitle: 'Newsletter',
    newsletterText: 'A letter when a model leaves the bench. A few times a year.',
    newsletterLabel: 'Your email address',
    newsletterAction: 'Sign up',
    copyright: '© 2024 Vitrina. All rights reserved.',
    admin: 'Admin Access',
  },
  notFound: {
    title: '404 Page Not Found',
    text: 'There is nothing at this address. The link may be old, or a letter of it got lost.',
    hint: 'Did you forget to add the page to the router?',
    home: 'Back to the display case',
  },
  notifications: { label: 'Notifications', close: 'Close notification' },
}

export type Texts = typeof site
