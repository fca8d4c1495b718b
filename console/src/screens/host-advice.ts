// Advice for failures and conditions of hosts, by their reason. The host's own message says what happened.

const ABOUT_FAILURES: Record<string, string> = {
  Unreachable: 'Nothing was done. Check the network and the address of the BMC, then retry.',
  Unanswered: 'The act may have been made. Look at the machine: is it on, what runs there? Retry when you know.',
  NoEffect: 'Do it by hand at the BMC to see why. Check the boot mode: many BMCs ignore a boot device of another mode.',
  MachineRuns: 'Nothing was done. Look who uses the machine. If nobody does, switch it off and order again.',
  PowerUnknown: 'Nothing was done. Look at the machine. If it is free, order again, also if it runs, for this host alone.',
  Expired: 'Nothing was done. Order again, if it is still wanted.',
  ObservedOnly: 'Nothing was done. Order again, if it is still wanted.',
  Cancelled: 'Nothing was done.',
  Stopped: 'Look at the machine, then retry.',
  PowerRefused: 'Do what the message says at the BMC, then retry.',
  BootRefused: 'Do what the message says at the BMC, then retry.',
  BmcRefused: 'Do what the message says at the BMC, then retry.',
  WrongAddress: 'Correct the BMC address of the host, then retry.',
  WrongCredential: 'Correct the secret of the credential, or the rights of its account, then retry.',
  WrongCertificate: 'Nothing was sent. Trust the certificate of the BMC, then retry.',
  NoSystem: 'Correct the path in the BMC address, or the uid or boot MAC of the host, then retry.',
  WrongMachine: 'The machine was left alone. Correct the BMC address or the uid, or accept an exchanged machine.',
  FirstLook: 'Nothing was done. See that it is the right machine, then order again.',
  TellsNothing: 'Nothing was done. Order for this host alone.',
  NoProgram: 'Start the controller with this program, then retry.',
  ProgramRefused: 'Do what the message says, then retry.',
  NoDriver: 'The message lists the drivers of the controller. Correct the BMC address, then retry.',
  StillOn: 'Shut its system down by hand, or order again with force.',
  TimedOut: 'Look at the console of the machine and at the log of the provisioner, then retry.',
  Provisioner: 'Correct what the provisioner says, then retry.',
  ProvisionerRefused: 'Correct what the provisioner says, then retry.',
  NoProvisioner: 'Set the provisioner of the host, then retry.',
  NoOrder: 'An administrator sets the state: underlay host override.',
  TooManyAttempts: 'Look why controllers end: their logs and their memory. Then retry.',
};

const ABOUT_CONDITIONS: Record<string, string> = {
  NoController: 'Start a controller, or check its --within and --appliances, and the site of the host.',
  ObserveOnly: 'An administrator lets controllers act again: underlay hosts resume.',
  ByHand: 'The machine has no BMC: do what the message says by hand.',
  Unreachable: 'Orders fail until the BMC answers.',
  WrongMachine: 'Correct the BMC address, or accept an exchanged machine: underlay host accept-machine.',
  Armed: 'Have it boot from its disk: underlay host boot local.',
  ClassAmbiguous: 'Set the class of the host.',
};

export const adviceOnFailure = (reason: string): string => ABOUT_FAILURES[reason] ?? 'Do what the message says, then retry.';
export const adviceOnCondition = (type: string): string | undefined => ABOUT_CONDITIONS[type];
