/* Reads any bytes as the configuration of a Label Studio project; what it offers is found again. */
#include "fuzz.h"

#include "serve/label_config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct label_config config;
    char *xml = new_string((const char *)bytes, length, &err);
    if (!xml)
        return 0;
    if (fuzz_told(label_config_read(&config, xml, &err), &err)) {
        if (!config.from_name || !config.to_name || !config.data || config.labels.count == 0)
            abort();
        for (size_t i = 0; i < config.labels.count; i++)
            if (!label_find(&config.labels, text_of(config.labels.item[i].value)))
                abort();
    }
    label_config_release(&config);
    free(xml);
    return 0;
}
