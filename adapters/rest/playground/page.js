// Starts GraphiQL on the endpoint beside this page. Keys typed under Headers stay in this tab.
const start = `# A storefront reads with its client key: put it under Headers.
{
  Products(limit: 5, sort: "-createdAt") {
    totalDocs
    docs {
      id
      name
      price
    }
  }
}
`;
ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: new URL("graphql", location.href).href }),
    defaultQuery: start,
    defaultHeaders: JSON.stringify({ "X-Client-Key": "" }, null, 2),
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false,
    defaultEditorToolsVisibility: "headers",
  }),
);
