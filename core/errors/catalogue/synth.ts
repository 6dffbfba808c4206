import type { CatalogueEntry } from '../entry.js';

/** Errors of constructs and synthesis: CAS2000 to CAS2999. */
export const synthErrors = {
  CAS2001: { title: 'A construct was given a value that is not allowed', help: 'The findings in the message say what is allowed.' },
  CAS2002: { title: 'A principal cannot be looked up by name', help: 'Give its object id.' },
  CAS2003: { title: 'A reference is not an object id', help: 'Pass the construct itself, or the object id.' },
  CAS2004: { title: 'A container app has nowhere to run', help: 'Give it an environment, or the stack a location.' },
  CAS2005: { title: 'Two secrets of an app have one name', help: 'Give the secret that you declare another name.' },
  CAS2006: { title: 'A definition cannot be read', help: 'Check that the file is there and holds a JSON document.' },
  CAS2007: { title: 'A reference leads nowhere', help: 'Declare what it names, or correct the name.' },
  CAS2008: { title: 'Declarations depend on each other in a circle', help: 'Take one of the dependencies away.' },
  CAS2009: { title: 'Two stacks have one name', help: 'Give each configuration its own `stack:`.' },
  CAS2010: { title: 'No configuration was found', help: 'Name a castellan.yaml, or a folder that holds one.' },
  CAS2011: { title: 'The output folder cannot be made', help: 'Name another folder with --out, or make room for it.' },
  CAS2101: { title: 'Terraform could not be fetched', help: 'Install Terraform 1.11 or later, or name it with CASTELLAN_TERRAFORM.' },
  CAS2102: {
    title: 'Terraform was not found',
    help: 'Install Terraform 1.11 or later (or OpenTofu), or name it with CASTELLAN_TERRAFORM.',
  },
  CAS2103: { title: 'Terraform failed', help: 'Its own words say why; `castellan plan` shows what it would do.' },
  CAS2104: {
    title: 'A provider could not be fetched',
    help: 'Terraform finds official providers in a registry or a mirror (provider_installation in its configuration); --providers castellan needs none.',
  },
  CAS2105: { title: 'Interrupted', help: 'What was begun is in the state: run the same command again, and it goes on from there.' },
  CAS2106: { title: 'The disk is nearly full', help: 'Make room, then run the same command again.' },
  CAS2107: {
    title: 'The state could not be written',
    help: 'Make room on the disk, then run the same command again: it continues from the state that was kept.',
  },
} as const satisfies Record<`CAS2${string}`, CatalogueEntry>;
