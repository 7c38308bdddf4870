# Installs the file of COLLOQUY_SOURCE_URL, whose SHA-256 has to be COLLOQUY_SOURCE_SHA256: the standalone program, or
# the packed package, which needs npm. The name of a package in a public registry could belong to anybody. Without both
# variables there has to be a `colloquy` command.
if [ -n "$COLLOQUY_SOURCE_URL$COLLOQUY_SOURCE_SHA256" ] || ! command -v colloquy > /dev/null; then
  colloquy_fail() { printf '%s\n' "$1" >&2; exit 1; }
  colloquy_sum=$(printf %s "$COLLOQUY_SOURCE_SHA256" | tr A-F a-f | grep -x '[0-9a-f]\{64\}') || colloquy_sum=
  if [ -z "$COLLOQUY_SOURCE_URL$COLLOQUY_SOURCE_SHA256" ]; then
    colloquy_fail 'the image has no colloquy command: set the inputs source_url and source_sha256'
  elif [ -z "$COLLOQUY_SOURCE_URL" ]; then
    colloquy_fail 'set the input source_url to the address of the file with source_sha256'
  elif [ -z "$COLLOQUY_SOURCE_SHA256" ]; then
    colloquy_fail 'set the input source_sha256 to the SHA-256 of the file at source_url'
  elif [ -z "$colloquy_sum" ]; then
    colloquy_fail 'the input source_sha256 is not a SHA-256 of 64 hexadecimal digits'
  fi
  # Neither a password nor a query, which can have a token.
  colloquy_shown=$(printf %s "$COLLOQUY_SOURCE_URL" | sed 's|[?#].*||; s|//[^/]*@|//|')
  colloquy_folder=$(mktemp -d)
  colloquy_file=$colloquy_folder/colloquy
  if command -v curl > /dev/null; then
    curl --fail --silent --show-error --location --globoff --output "$colloquy_file" -- "$COLLOQUY_SOURCE_URL"
  elif command -v wget > /dev/null; then
    wget -q -O "$colloquy_file" -- "$COLLOQUY_SOURCE_URL"
  else
    NODE_USE_ENV_PROXY=1 node -e '
      const [, given, file] = process.argv;
      const save = async () => {
        const url = new URL(given);
        const user = [url.username, url.password].map(decodeURIComponent).join(":");
        url.username = url.password = "";
        const response = await fetch(url, {
          headers: user === ":" ? {} : { authorization: `Basic ${Buffer.from(user).toString("base64")}` },
        });
        if (!response.ok) throw new Error(`status ${response.status}`);
        require("node:fs").writeFileSync(file, Buffer.from(await response.arrayBuffer()));
      };
      const fail = (error) => { console.error(error.cause?.message ?? error.message); process.exit(1); };
      save().catch(fail);
    ' -- "$COLLOQUY_SOURCE_URL" "$colloquy_file"
  fi || colloquy_fail "cannot download $colloquy_shown"
  colloquy_found=$(sha256sum < "$colloquy_file" | cut -c 1-64)
  if [ "$colloquy_found" != "$colloquy_sum" ]; then
    colloquy_fail "the SHA-256 of $colloquy_shown is $colloquy_found, expected $colloquy_sum"
  fi
  if [ "$(head -c 4 "$colloquy_file" | tail -c 3 | tr -d '\0')" = ELF ]; then
    chmod 755 "$colloquy_file"
    PATH=$colloquy_folder:$PATH
    if [ -n "$GITHUB_PATH" ]; then echo "$colloquy_folder" >> "$GITHUB_PATH"; fi
  else
    command -v npm > /dev/null || colloquy_fail 'the image has no npm for the package: use the standalone program'
    mv "$colloquy_file" "$colloquy_file.tgz"
    npm install --global --ignore-scripts -- "$colloquy_file.tgz"
  fi
fi
