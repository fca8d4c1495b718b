// The build reads documents as text.
declare module '*.graphql' {
  const text: string;
  export default text;
}
